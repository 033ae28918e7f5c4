import { maxPhotos, shrunkPhoto } from '../../shared/hand-over/shrunk-photo.ts'
import { h } from './dom.ts'
import { t } from './words.ts'

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
      const photo = photos.length < maxPhotos ? await shrunkPhoto(file) : null
      if (photo) photos.push(photo)
    }
    input.value = ''
    draw()
  })
  const element = h(
    'div',
    { class: 'field' },
    h('label', { class: 'button plain' }, t('receiverPage:form.addPhoto', { most: maxPhotos }), input),
    list,
  )
  return { element, read: () => [...photos] }
}
