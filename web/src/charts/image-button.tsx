import { IconPhotoDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toastError } from '../lib/toast.ts'
import type { SavedImage } from './save-image.ts'
import { ZoomButton } from './zoom-button.tsx'

/** Downloads what the chart shows now as a PNG with its title, period and zone. */
export function ImageButton(image: SavedImage) {
  const { t } = useTranslation('charts')
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const { saveImage } = await import('./save-image.ts')
      await saveImage(image, t)
    } catch {
      toastError(t('imageFailed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <ZoomButton label={t('image')} loading={busy} onClick={() => void run()}>
      <IconPhotoDown size={17} />
    </ZoomButton>
  )
}
