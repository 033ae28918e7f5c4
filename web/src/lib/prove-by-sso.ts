/** Tells the window that asked how a proof in another window went. */
const channelName = 'isotherm.sso-proof'

/** The page that begins a proof, in a window of its own. */
const proofPage = '/login/sso#proof'

/**
 * Has the person prove who they are at their company's issuer, in a window of its own, so that nothing typed here is lost. Resolves with whether they
 * did; false where the company has no single sign-on for them, the browser opened no window, or `signal` says to wait no longer: whether the window
 * was closed cannot be told, as the issuer's pages cut it off from this one. To be called by a click, or the browser opens none.
 */
export function proveBySso(signal: AbortSignal): Promise<boolean> {
  const opened = window.open(proofPage, 'isotherm-proof', 'popup,width=520,height=720')
  if (!opened) return Promise.resolve(false)
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName)
    const end = (isProved: boolean) => {
      channel.close()
      resolve(isProved)
    }
    channel.onmessage = ({ data }: MessageEvent<boolean>) => end(data)
    signal.addEventListener('abort', () => end(false), { once: true })
  })
}

/** In the other window: says how it went, and closes. */
export function endProof(isProved: boolean) {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(isProved)
  channel.close()
  window.close()
}
