import type { Guard } from '@isotherm/contract/call.ts'

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
