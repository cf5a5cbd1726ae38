/**
 * Opens the page on which a payer pays, over the page of a shop. Put it into the page with
 * <script src="https://pay.example/checkout/manilla.js"></script>, and call
 * Manilla.open({ checkoutUrl, mode, onLoaded, onPaid, onCancelled, onExpired, onError, onClose }).
 * What it reports is a hint: believe only what your server reads from the API.
 */
{
  const SLOW_MS = 8_000;
  const LOOK_MS = 500;
  const LAYER =
    'width:100%;max-width:32rem;height:100%;max-height:56rem;padding:0;border:0;border-radius:.75rem;overflow:hidden';
  const FRAME = 'display:block;width:100%;height:100%;border:0';
  const BUTTON =
    'position:absolute;top:.25rem;right:.25rem;min-width:2.75rem;min-height:2.75rem;font:1.25rem system-ui;border:0;border-radius:.5rem;cursor:pointer';
  const LINK =
    'position:absolute;bottom:1rem;left:1rem;padding:.5rem;background:#fff;color:#0b5f4c;font:1rem system-ui';
  const CALLS = {
    loaded: 'onLoaded',
    paid: 'onPaid',
    cancelled: 'onCancelled',
    expired: 'onExpired',
    error: 'onError',
  };

  const make = (name, properties, css) => {
    const element = Object.assign(document.createElement(name), properties);
    // By the object model: a policy of the shop that forbids styles in its HTML lets this through.
    if (css) element.style.cssText = css;
    return element;
  };

  /** The page has to know to whose page it speaks; it speaks to none that its merchant has not named. */
  const embeddedAddress = (checkoutUrl) => {
    const url = new URL(checkoutUrl);
    url.searchParams.set('in', location.origin);
    return url.href;
  };

  /** Hears what the page in `source()` reports, until the returned function is called. */
  const listen = (checkoutUrl, source, hear) => {
    const { origin } = new URL(checkoutUrl);
    const take = (message) => {
      if (message.origin !== origin || message.source !== source()) return;
      if (message.data?.type === 'manilla') hear(message.data.event, message.data);
    };
    addEventListener('message', take);
    return () => removeEventListener('message', take);
  };

  /** In a dialog of the browser's own: it keeps the focus, and puts it back where it was. */
  const openFrame = ({ checkoutUrl, label = 'Pay' }, call) => {
    const dialog = make('dialog', {}, LAYER);
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
        else call(CALLS[event], data);
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
        if (event !== 'closed') call(CALLS[event], data);
        if (event === 'cancelled') close();
      },
    );
    const look = setInterval(() => {
      if (!popup.closed) return;
      clearInterval(look);
      stop();
      call('onClose');
    }, LOOK_MS);
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
