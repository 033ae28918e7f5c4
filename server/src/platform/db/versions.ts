import { AppError } from '../errors/app-error.ts'

/** Refuses a change that was made from another version than the locked row has; throws CHANGED_MEANWHILE. */
export function refuseOutdated({ name, version }: { name: string; version: number }, seen: number): void {
  if (version !== seen) throw new AppError('CHANGED_MEANWHILE', { name })
}
