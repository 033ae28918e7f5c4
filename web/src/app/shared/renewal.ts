const everyMs = 600_000

const scriptOf = (page: ParentNode): string | null =>
  page.querySelector('script[type="module"]')?.getAttribute('src') ?? null

/** Whether the page that the server sends now runs other code than the page that is open: file names carry a hash. */
export function isOutdated(sent: string, open: ParentNode): boolean {
  const now = scriptOf(new DOMParser().parseFromString(sent, 'text/html'))
  return now !== null && now !== scriptOf(open)
}

/** Loads the page anew where the server has a newer one; the token stays in the address. */
export async function renewIfOutdated(): Promise<void> {
  const response = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null)
  if (!response?.ok) return
  if (isOutdated(await response.text(), document)) location.reload()
}

/** Looks for a newer page every ten minutes. Returns how to stop. */
export function watchForRenewal(): () => void {
  const timer = setInterval(() => void renewIfOutdated(), everyMs)
  return () => clearInterval(timer)
}
