import { localDayOf } from '@isotherm/contract/zone-times.ts'
import type { TFunction } from 'i18next'
import { download } from '../lib/download.ts'
import { formatSpan, zoneName } from '../lib/times.ts'
import { chartImage, type ImageInput } from './chart-image.ts'

export type SavedImage = Omit<ImageInput, 'lines'> & { note?: string }

/** Makes the image and offers it as a file; throws where it cannot be made. */
export async function saveImage({ note, ...input }: SavedImage, t: TFunction<'charts'>): Promise<void> {
  const { window, zone, title } = input
  const lines = [
    t('imagePeriod', formatSpan(window.from, window.to, zone)),
    t('zone', { zone: zoneName(zone, window.to), name: zone.replaceAll('_', ' ') }),
    ...(note ? [note] : []),
  ]
  const day = localDayOf(window.from, zone)
  download(await chartImage({ ...input, lines }), `${title.replace(/[^\p{L}\p{N}]+/gu, '-')}-${day}.png`)
}
