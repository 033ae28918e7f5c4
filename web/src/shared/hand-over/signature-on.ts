/** The size of a signature in pixels, whatever it has on the screen. */
export const signatureSize = { width: 600, height: 220 } as const

export interface Signature {
  clear(): void
  /** As PNG; null where nothing was drawn. */
  read(): Promise<Blob | null>
}

/** Lets somebody sign on a canvas of that size by finger, pen or mouse. Without React: the pages of drivers and receivers use it too. */
export function signatureOn(canvas: HTMLCanvasElement): Signature {
  const { width, height } = signatureSize
  const pen = canvas.getContext('2d')
  let isDrawn = false
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
    clear() {
      pen?.clearRect(0, 0, width, height)
      isDrawn = false
    },
    read: () => new Promise((done) => (isDrawn ? canvas.toBlob(done, 'image/png') : done(null))),
  }
}
