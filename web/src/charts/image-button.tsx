import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPhotoDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../lib/download.ts'
import { formatSpan, zoneName } from '../lib/times.ts'
import { toastError } from '../lib/toast.ts'
import type { ImageInput } from './chart-image.ts'

type ImageButtonProps = Omit<ImageInput, 'lines'> & { note?: string }

/** Downloads what the chart shows now as a PNG with its title, period and zone. */
export function ImageButton({ note, ...input }: ImageButtonProps) {
  const { t } = useTranslation('charts')
  const [busy, setBusy] = useState(false)
  const { window, zone, title } = input
  const run = async () => {
    setBusy(true)
    try {
      const { chartImage } = await import('./chart-image.ts')
      const lines = [
        t('imagePeriod', formatSpan(window.from, window.to, zone)),
        t('zone', { zone: zoneName(zone, window.to), name: zone.replaceAll('_', ' ') }),
        ...(note ? [note] : []),
      ]
      const day = new Date(window.from).toISOString().slice(0, 10)
      download(await chartImage({ ...input, lines }), `${title.replace(/[^\p{L}\p{N}]+/gu, '-')}-${day}.png`)
    } catch {
      toastError(t('imageFailed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Tooltip label={t('image')}>
      <ActionIcon variant="subtle" color="gray" aria-label={t('image')} loading={busy} onClick={() => void run()}>
        <IconPhotoDown size={17} />
      </ActionIcon>
    </Tooltip>
  )
}
