/**
 * Opens the page on which a payer pays, over the page of a shop. Put it into the page with
 * <script src="https://pay.example/checkout/manilla.js"></script>, and call
 * Manilla.open({ checkoutUrl, mode, onLoaded, onPaid, onCancelled, onExpired, onError, onClose }).
 * What it reports is a hint: only what your server reads from the API is proof.
 */
{
  /** After this time without a message a link to the page is shown. */
  const SLOW_MS = 8_000;
  /** How often it is checked whether the payer closed the window. */
  const CLOSED_CHECK_MS = 500;
  const DIALOG =
    'width:100%;max-width:32rem;height:100%;max-height:56rem;padding:0;border:0;border-radius:.75rem;overflow:hidden';
  const FRAME = 'display:block;width:100%;height:100%;border:0';
  const BUTTON =
    'position:absolute;top:.25rem;right:.25rem;min-width:2.75rem;min-height:2.75rem;font:1.25rem system-ui;border:0;border-radius:.5rem;cursor:pointer';
  const LINK =
    'position:absolute;bottom:1rem;left:1rem;padding:.5rem;background:#fff;color:#0b5f4c;font:1rem system-ui';
  const CALLBACKS = {
    loaded: 'onLoaded',
    paid: 'onPaid',
    cancelled: 'onCancelled',
    expired: 'onExpired',
    error: 'onError',
  };

  const make = (name, properties, css) => {
    const element = Object.assign(document.createElement(name), properties);
    // Through the object model, which a content security policy against inline styles allows.
    if (css) element.style.cssText = css;
    return element;
  };

  /** The payment page posts messages to this origin, if its merchant has allowed it. */
  const embeddedAddress = (checkoutUrl) => {
    const url = new URL(checkoutUrl);
    url.searchParams.set('in', location.origin);
    return url.href;
  };

  /** Calls `onMessage` with what the page in `source()` reports, until the returned function is called. */
  const listen = (checkoutUrl, source, onMessage) => {
    const { origin } = new URL(checkoutUrl);
    const listener = ({ origin: from, source: sender, data }) => {
      if (from === origin && sender === source() && data?.type === 'manilla') onMessage(data.event, data);
    };
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  };

  /** In a modal `dialog`, which keeps the focus and restores it when it is closed. */
  const openFrame = ({ checkoutUrl, label = 'Pay' }, call) => {
    const dialog = make('dialog', {}, DIALOG);
    dialog.setAttribute('aria-label', label);
    const frame = make('iframe', { title: label, allow: 'clipboard-write', src: embeddedAddress(checkoutUrl) }, FRAME);
    const button = make('button', { type: 'button', textContent: '×' }, BUTTON);
    button.setAttribute('aria-label', 'Close');
    const link = make('a', { href: checkoutUrl, textContent: 'Open the payment page by itself', hidden: true });
    dialog.append(frame, button, link);
    document.body.append(dialog);
    const slow = setTimeout(() => {
      link.hidden = false;
      link.style.cssText = LINK;
    }, SLOW_MS);
    const close = () => dialog.close();
    const stop = listen(
      checkoutUrl,
      () => frame.contentWindow,
      (event, data) => {
        clearTimeout(slow);
        link.remove();
        if (event === 'closed') close();
        else call(CALLBACKS[event], data);
        if (event === 'cancelled') close();
      },
    );
    button.addEventListener('click', close);
    dialog.addEventListener('close', () => {
      clearTimeout(slow);
      stop();
      dialog.remove();
      call('onClose');
    });
    dialog.showModal();
    return { close };
  };

  const openPopup = ({ checkoutUrl }, call) => {
    const popup = open(embeddedAddress(checkoutUrl), '_blank', 'popup,width=480,height=800');
    if (popup === null) return redirect(checkoutUrl);
    const close = () => popup.close();
    const stop = listen(
      checkoutUrl,
      () => popup,
      (event, data) => {
        if (event !== 'closed') call(CALLBACKS[event], data);
        if (event === 'cancelled') close();
      },
    );
    const closedCheck = setInterval(() => {
      if (!popup.closed) return;
      clearInterval(closedCheck);
      stop();
      call('onClose');
    }, CLOSED_CHECK_MS);
    return { close };
  };

  const redirect = (checkoutUrl) => {
    location.assign(checkoutUrl);
    return { close: () => undefined };
  };

  globalThis.Manilla = {
    /** @returns an object with close(). Where a popup is blocked the payer is sent to the page instead. */
    open(options) {
      const call = (name, data) => name && options[name]?.(data);
      if (options.mode === 'redirect') return redirect(options.checkoutUrl);
      return options.mode === 'popup' ? openPopup(options, call) : openFrame(options, call);
    },
  };
}
