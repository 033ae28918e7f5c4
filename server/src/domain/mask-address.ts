/** A mail address by which nobody can be written to: the first sign of its name, and its domain. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const [first = ''] = address.slice(0, Math.max(at, 0))
  return `${first}…${at < 0 ? '' : address.slice(at)}`
}
