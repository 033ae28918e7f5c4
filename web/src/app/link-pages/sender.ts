import { askFile } from './ask-file.ts'
import { h } from './dom.ts'

interface Sender {
  company: string
  logoVersion: string | null
}

// The page is drawn again and again, the picture is asked for once.
const picture = h('img', { class: 'logo', alt: '' })
let asked: string | null = null

async function load(path: string, token: string): Promise<void> {
  const blob = await (await askFile(path, { token }))?.blob().catch(() => null)
  if (blob) picture.src = URL.createObjectURL(blob)
}

/** The company at the top of a page, beside its logo. */
export function senderView(path: string, token: string, sender: Sender | null): HTMLElement {
  const version = sender?.logoVersion
  if (version && version !== asked) {
    asked = version
    void load(path, token)
  }
  return h('span', { class: 'sender' }, version ? picture : null, sender?.company ?? '')
}
