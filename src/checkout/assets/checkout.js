const { body } = document;
const content = document.getElementById('content');
const announcement = document.getElementById('announcement');
const { session, shop, state } = body.dataset;

const SLOWEST_MS = 10_000;
const FASTEST_MS = 3_000;
/** An answer that takes longer is given up: a phone that has changed its network may wait for it for ever. */
const ANSWER_MS = 10_000;
/** The same where the provider is asked, which may take its time. */
const CHECK_MS = 30_000;
/** The page of the shop closes this one within this time, where it is still there. */
const LEAVE_MS = 500;
/** What is reported to the page of the shop, by status. */
const EVENTS = { PAID: 'paid', EXPIRED: 'expired', CANCELLED: 'cancelled', FAILED: 'error' };
/** Seconds before the end at which a screen reader announces it. */
const ANNOUNCEMENTS = [
  [300, 'Five minutes are left to pay.'],
  [60, 'One minute is left to pay.'],
  [0, 'The time to pay is over.'],
];
let { status, etag } = body.dataset;
let conclusive = body.dataset.conclusive === 'true';
let waitMs = FASTEST_MS;
let timer;
let left = Number.POSITIVE_INFINITY;
let clockOffset = 0;
/** How often in a row nothing came back. One answer is lost on any walk through a town. */
let misses = 0;
const MISSES_SAID = 3;

/** Sends the secret of a link with a fragment to the service, which keeps it in a cookie. */
function enterByFragment() {
  const secret = location.hash.slice(1);
  if (!/^mcs_\w+/.test(secret)) return;
  const form = document.createElement('form');
  const input = document.createElement('input');
  form.method = 'post';
  form.action = `${location.pathname.replace(/\/$/, '')}/enter${location.search}`;
  form.hidden = true;
  input.name = 's';
  input.value = secret;
  form.append(input);
  body.append(form);
  form.submit();
}

/** The window of the shop that embeds or opened this page; undefined where there is none, or none any more. */
function shopWindow() {
  const opener = window.parent === window ? window.opener : window.parent;
  return shop && opener && !opener.closed ? opener : undefined;
}

/** Posts a message to pages of the shop's origin alone. It has no amounts: they read those from their server. */
function report(event) {
  shopWindow()?.postMessage({ type: 'manilla', event, sessionId: session }, shop);
}

function announce(text) {
  announcement.textContent = text;
}

/** What came of asking, above the button that asks: for those who see the page, and for those who hear it. */
function say(text) {
  const form = content.querySelector('#check');
  let line = content.querySelector('.result');
  if (line === null && form) {
    line = document.createElement('p');
    line.className = 'result';
    form.before(line);
  }
  if (line) line.textContent = text;
  announce(text);
}

function show(data) {
  const hadFocus = content.contains(document.activeElement);
  const changed = data.status !== status;
  content.innerHTML = data.content;
  document.title = data.title;
  etag = data.etag;
  status = data.status;
  conclusive = data.conclusive;
  prepare();
  if (hadFocus) (changed ? content.querySelector('h1') : content.querySelector('#check button'))?.focus();
  announce(data.announcement);
  if (changed && EVENTS[status]) report(EVENTS[status]);
}

async function ask(address, options) {
  const headers = { accept: 'application/json', ...options.headers };
  const answer = await fetch(address, { ...options, headers, cache: 'no-store', credentials: 'same-origin' });
  if (answer.status === 304) return undefined;
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()).data;
}

async function poll() {
  clearTimeout(timer);
  if (conclusive) return;
  // The network may be down for a moment: it is polled again in any case.
  const how = { headers: { 'if-none-match': etag }, signal: AbortSignal.timeout(ANSWER_MS) };
  const data = await ask(state, how).catch(() => null);
  // What is over stays over, whatever an answer says that was asked for before.
  if (conclusive) return;
  if (data !== null && misses >= MISSES_SAID) content.querySelector('.result')?.remove();
  misses = data === null ? misses + 1 : 0;
  if (misses === MISSES_SAID) say('We cannot look for your payment at the moment. We try again by ourselves.');
  if (data) {
    waitMs = FASTEST_MS;
    if (data.etag !== etag) show(data);
  } else waitMs = Math.min(SLOWEST_MS, waitMs * 1.1);
  schedule();
}

function schedule() {
  clearTimeout(timer);
  if (!document.hidden && !conclusive) timer = setTimeout(() => void poll(), waitMs);
}

async function check(event) {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector('button');
  if (button.getAttribute('aria-disabled') === 'true') return;
  button.setAttribute('aria-disabled', 'true');
  const label = button.textContent;
  button.textContent = 'We are looking…';
  announce('We are looking for your payment.');
  try {
    const how = { method: 'POST', body: new URLSearchParams(), signal: AbortSignal.timeout(CHECK_MS) };
    show(await ask(form.action, how));
  } catch {
    button.removeAttribute('aria-disabled');
    button.textContent = label;
    say('We cannot look at the moment. Please try again shortly.');
  }
  waitMs = FASTEST_MS;
  schedule();
}

async function copy({ currentTarget: button }) {
  // Pressed twice, it still has what it says.
  if (button.dataset.copied) return;
  button.dataset.copied = 'yes';
  const label = button.innerHTML;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
    announce('Copied');
  } catch {
    getSelection()?.selectAllChildren(button.previousElementSibling);
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.innerHTML = label;
    delete button.dataset.copied;
  }, 2_000);
}

/** Adds the listeners to content that was just put into the page. */
function prepare() {
  for (const button of content.querySelectorAll('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', (event) => void copy(event));
  }
  content.querySelector('#check')?.addEventListener('submit', (event) => void check(event));
  for (const link of content.querySelectorAll('a.cancel')) link.addEventListener('click', leave);
  const countdown = document.getElementById('countdown');
  if (countdown) clockOffset = Date.parse(countdown.dataset.now) - Date.now();
  tick();
}

/** The page of the shop closes this one. Where it is gone, or has been left, the link leads back to the shop. */
function leave(event) {
  if (shopWindow() === undefined) return;
  event.preventDefault();
  report('cancelled');
  const { href } = event.currentTarget;
  setTimeout(() => window.open(href, '_top'), LEAVE_MS);
}

/**
 * Nobody sends money to a number that takes none any more, also where no answer says so. The next answer is shown whatever
 * it says: the clock of a phone may have been put forward.
 */
function end() {
  const [title, text] = ['h1', 'p'].map((name) => document.createElement(name));
  const hadFocus = content.contains(document.activeElement);
  title.textContent = 'The time for this payment is over';
  title.tabIndex = -1;
  text.textContent =
    'Please do not send money to the account number any more. If you have sent it already, it is not lost. We are looking for it.';
  content.replaceChildren(title, text);
  if (hadFocus) title.focus();
  etag = '';
  void poll();
}

/** `29 min 05 s`, and `7 h 59 min` where there is more than an hour. */
function leftText(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
}

function tick() {
  const countdown = document.getElementById('countdown');
  if (!countdown) return;
  const now = Math.max(0, Math.ceil((Date.parse(countdown.dataset.until) - Date.now() - clockOffset) / 1_000));
  countdown.textContent = leftText(now);
  for (const [at, text] of ANNOUNCEMENTS)
    if (left > at && now <= at && left !== Number.POSITIVE_INFINITY) announce(text);
  const isOver = now === 0 && left > 0;
  left = now;
  if (isOver) end();
}

function begin() {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) clearTimeout(timer);
    else void poll();
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') report('closed');
  });
  setInterval(tick, 1_000);
  prepare();
  report('loaded');
  if (EVENTS[status]) report(EVENTS[status]);
  schedule();
}

/**
 * A page that answers a form, with what to correct, is at the address of the form. Who reloads it or comes back to it gets the
 * form, and not the browser's question whether to send it again.
 */
function forgetForm() {
  history.replaceState(history.state, '', location.href);
}

// The page of a link that opens nothing has no session.
if (session === undefined) {
  forgetForm();
  enterByFragment();
} else begin();
