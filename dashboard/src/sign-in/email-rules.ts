/** Told before the form is sent, with everything else that is wrong. The service has the last word. */
export const EMAIL_RULES = {
  required: 'Enter your e-mail address.',
  pattern: {
    value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/,
    message: 'Write the whole address, such as ngozi@shop.example.',
  },
};
