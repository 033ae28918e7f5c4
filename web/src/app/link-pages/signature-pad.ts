import { type Signature, signatureOn, signatureSize } from '../../shared/hand-over/signature-on.ts'
import { h } from './dom.ts'
import { t } from './words.ts'

export interface SignaturePad {
  element: HTMLElement
  read: Signature['read']
}

/** A glass to sign on by finger, pen or mouse. */
export function signaturePad(isNeeded: boolean): SignaturePad {
  const canvas = h('canvas', {
    ...signatureSize,
    class: 'glass',
    role: 'img',
    'aria-label': t('receiverPage:form.signature'),
  })
  const { clear, read } = signatureOn(canvas)
  return {
    element: h(
      'div',
      { class: 'field', 'data-required': isNeeded },
      h('span', {}, t('receiverPage:form.signature')),
      canvas,
      h('button', { type: 'button', class: 'plain', click: clear }, t('receiverPage:form.clear')),
    ),
    read,
  }
}
