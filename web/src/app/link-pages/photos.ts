import { h } from './dom.ts'
import { t } from './words.ts'

const most = 4
const longestSide = 1_280

/** A photo as small as it may be: what a camera gives costs too much on the way. Null of what is no picture. */
async function shrunk(file: Blob): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
  const canvas = h('canvas', { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) })
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.7))
}

/** Takes up to four photos by camera, or from the phone. */
export function photoField(): { element: HTMLElement; read(): Blob[] } {
  const photos: Blob[] = []
  const list = h('div', { class: 'photos' })
  const draw = () =>
    list.replaceChildren(
      ...photos.map((photo, index) => {
        const address = URL.createObjectURL(photo)
        const free = () => URL.revokeObjectURL(address)
        const remove = () => {
          photos.splice(index, 1)
          draw()
        }
        return h(
          'button',
          { type: 'button', class: 'photo', click: remove, 'aria-label': t('receiverPage:form.removePhoto') },
          h('img', { src: address, alt: '', load: free }),
        )
      }),
    )
  const input = h('input', { type: 'file', accept: 'image/*', capture: 'environment', class: 'hidden' })
  input.addEventListener('change', async () => {
    for (const file of input.files ?? []) {
      const photo = photos.length < most ? await shrunk(file) : null
      if (photo) photos.push(photo)
    }
    input.value = ''
    draw()
  })
  const element = h(
    'div',
    { class: 'field' },
    h('label', { class: 'button plain' }, t('receiverPage:form.addPhoto', { most }), input),
    list,
  )
  return { element, read: () => [...photos] }
}
