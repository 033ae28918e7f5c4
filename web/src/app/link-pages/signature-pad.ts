import { h } from './dom.ts'
import { t } from './words.ts'

export interface SignaturePad {
  element: HTMLElement
  /** The signature as PNG; null where nothing was drawn. */
  read(): Promise<Blob | null>
}

const [width, height] = [600, 220]

/** A glass to sign on by finger, pen or mouse. */
export function signaturePad(): SignaturePad {
  const canvas = h('canvas', {
    width,
    height,
    class: 'glass',
    role: 'img',
    'aria-label': t('receiverPage:form.signature'),
  })
  const pen = canvas.getContext('2d')
  let isDrawn = false
  const clear = () => {
    pen?.clearRect(0, 0, width, height)
    isDrawn = false
  }
  const placeOf = ({ clientX, clientY }: PointerEvent) => {
    const box = canvas.getBoundingClientRect()
    return [((clientX - box.left) / box.width) * width, ((clientY - box.top) / box.height) * height] as const
  }
  canvas.addEventListener('pointerdown', (event) => {
    if (!pen) return
    canvas.setPointerCapture(event.pointerId)
    Object.assign(pen, { lineWidth: 3, lineCap: 'round', lineJoin: 'round', strokeStyle: '#14191f' })
    pen.beginPath()
    pen.moveTo(...placeOf(event))
  })
  canvas.addEventListener('pointermove', (event) => {
    if (!pen || !canvas.hasPointerCapture(event.pointerId)) return
    pen.lineTo(...placeOf(event))
    pen.stroke()
    isDrawn = true
  })
  return {
    element: h(
      'div',
      { class: 'field' },
      h('span', {}, t('receiverPage:form.signature')),
      canvas,
      h('button', { type: 'button', class: 'plain', click: clear }, t('receiverPage:form.clear')),
    ),
    read: () => new Promise((done) => (isDrawn ? canvas.toBlob(done, 'image/png') : done(null))),
  }
}
