import { AppError } from '../errors/app-error.ts'

/**
 * Refuses a change that was made from another version than the locked row has; throws CHANGED_MEANWHILE. One that names no version is made
 * whatever others changed meanwhile.
 */
export function refuseOutdated({ name, version }: { name: string; version: number }, seen: number | undefined): void {
  if (seen !== undefined && version !== seen) throw new AppError('CHANGED_MEANWHILE', { name })
}
