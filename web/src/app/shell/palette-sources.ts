import type { Guard } from '@isotherm/contract/call.ts'
import { deviceSource } from './find-devices.ts'
import { groupSource } from './find-groups.ts'
import { recordSource } from './find-records.ts'
import { reportSource } from './find-reports.ts'

export interface PaletteItem {
  id: string
  label: string
  description?: string
  to: string
}

/** Finds things to jump to while somebody types: devices first. `title` is a key of namespace `shell`. */
export interface PaletteSource {
  title: string
  needs: Guard
  find: (text: string, signal: AbortSignal) => Promise<PaletteItem[]>
}

/** One line per feature that has things to find. */
export const paletteSources: PaletteSource[] = [deviceSource, groupSource, recordSource, reportSource]
