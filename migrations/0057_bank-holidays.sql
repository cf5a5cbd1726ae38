-- Days on which banks in Nigeria are closed are declared year by year, so they are dated rows that the operator changes.

create table bank_holidays (
  id uuid not null,
  day date not null,
  name text not null,
  certainty text not null,
  source text not null,
  set_by text not null,
  set_at timestamptz not null,
  removed_by text,
  removed_at timestamptz,
  constraint bank_holidays_pk primary key (id),
  constraint bank_holidays_certainty check (certainty in ('CERTAIN', 'EXPECTED')),
  constraint bank_holidays_removed check ((removed_by is null) = (removed_at is null))
);
comment on table bank_holidays is
  'Days on which banks in Nigeria are closed; weekends are not listed. Settlements to merchants'' banks are made on the other days.';
comment on column bank_holidays.certainty is
  'EXPECTED: a day by the moon, to be confirmed or moved when the Federal Government declares it. It counts until then.';
comment on column bank_holidays.removed_at is 'It counts no more: what was wrong stays on record.';
create unique index bank_holidays_once on bank_holidays (day) where removed_at is null;

-- Fixed days by the Public Holidays Act; Easter as it is computed; days by the moon as Umm al-Qura has them. A day that the
-- Government declares in place of one on a weekend is the operator's to add.
insert into bank_holidays (id, day, name, certainty, source, set_by, set_at)
select ('01930000-0000-7000-8000-000000002' || lpad(row_number() over (order by given.day)::text, 3, '0'))::uuid,
       given.day, given.name, given.certainty, given.source, 'published with the release', timestamptz '2026-11-25 00:00:00+01'
  from (
    select (year || '-' || fixed.day)::date as day, fixed.name, 'CERTAIN' as certainty,
           'Public Holidays Act, Cap. P40 LFN 2004: a fixed day' as source
      from (values ('2026'), ('2027')) as years (year)
     cross join (values ('01-01', 'New Year''s Day'), ('05-01', 'Workers'' Day'), ('06-12', 'Democracy Day'),
                        ('10-01', 'Independence Day'), ('12-25', 'Christmas Day'), ('12-26', 'Boxing Day')) as fixed (day, name)
    union all
    select * from (values
      (date '2026-04-03', 'Good Friday', 'CERTAIN', 'Public Holidays Act; Easter Sunday is 5 April 2026'),
      (date '2026-04-06', 'Easter Monday', 'CERTAIN', 'Public Holidays Act; Easter Sunday is 5 April 2026'),
      (date '2027-03-26', 'Good Friday', 'CERTAIN', 'Public Holidays Act; Easter Sunday is 28 March 2027'),
      (date '2027-03-29', 'Easter Monday', 'CERTAIN', 'Public Holidays Act; Easter Sunday is 28 March 2027'),
      (date '2026-03-20', 'Eid-el-Fitr', 'EXPECTED', '1 Shawwal 1447 by Umm al-Qura; declared by the Federal Government'),
      (date '2026-03-21', 'Eid-el-Fitr, second day', 'EXPECTED', '2 Shawwal 1447 by Umm al-Qura; declared by the Federal Government'),
      (date '2026-05-27', 'Eid-el-Kabir', 'EXPECTED', '10 Dhu al-Hijja 1447 by Umm al-Qura; declared by the Federal Government'),
      (date '2026-05-28', 'Eid-el-Kabir, second day', 'EXPECTED', '11 Dhu al-Hijja 1447 by Umm al-Qura; declared by the Federal Government'),
      (date '2026-08-25', 'Eid-el-Maulud', 'EXPECTED', '12 Rabi al-Awwal 1448 by Umm al-Qura; declared by the Federal Government'),
      (date '2027-03-09', 'Eid-el-Fitr', 'EXPECTED', '1 Shawwal 1448 by Umm al-Qura; declared by the Federal Government'),
      (date '2027-03-10', 'Eid-el-Fitr, second day', 'EXPECTED', '2 Shawwal 1448 by Umm al-Qura; declared by the Federal Government'),
      (date '2027-05-16', 'Eid-el-Kabir', 'EXPECTED', '10 Dhu al-Hijja 1448 by Umm al-Qura; declared by the Federal Government'),
      (date '2027-05-17', 'Eid-el-Kabir, second day', 'EXPECTED', '11 Dhu al-Hijja 1448 by Umm al-Qura; declared by the Federal Government'),
      (date '2027-08-14', 'Eid-el-Maulud', 'EXPECTED', '12 Rabi al-Awwal 1449 by Umm al-Qura; declared by the Federal Government')
    ) as moved (day, name, certainty, source)
  ) given;
