let count = 0

/** A mail address that nobody has. */
export function fresh(about: string): string {
  count += 1
  return `${about}-${count}-${process.pid}@asvs.test`
}
