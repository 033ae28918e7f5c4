import { deviceSource } from './find-devices.ts'
import { groupSource } from './find-groups.ts'
import { recordSource } from './find-records.ts'
import { reportSource } from './find-reports.ts'
import type { PaletteSource } from './palette-source.ts'

/** One line per feature that has things to find. */
export const paletteSources: PaletteSource[] = [deviceSource, groupSource, recordSource, reportSource]
