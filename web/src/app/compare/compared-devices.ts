import { maxCompared } from '@isotherm/contract/groups.ts'

/** The devices that a URL names, each once; what is no id is left out. */
export const devicesIn = (text: string | undefined): string[] =>
  [...new Set((text ?? '').split(',').filter((id) => /^[1-9]\d{0,17}$/.test(id)))].slice(0, maxCompared)
