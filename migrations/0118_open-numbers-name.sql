-- By this name the service knows that somebody has a number.

alter index receiving_numbers_one_open_anew rename to receiving_numbers_one_open;
