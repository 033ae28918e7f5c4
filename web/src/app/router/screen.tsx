import { limits } from '@isotherm/contract/limits.ts'
import { type ComponentType, use } from 'react'
import { loadTexts } from '../../lib/i18n.ts'

/** A screen's code did not arrive, or not within 120 s. */
export class ScreenLoadError extends Error {}

/** Fails with a chunk load error when `work` does, or takes longer than `ms`. */
export const within = <T,>(work: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ScreenLoadError('chunk load error')), ms)
    work.then(resolve, () => reject(new ScreenLoadError('chunk load error'))).finally(() => clearTimeout(timer))
  })

/**
 * A page that is loaded when somebody goes there, together with its texts:
 * `screen(() => import('./users-page.tsx').then((m) => m.UsersPage), ['users'])`.
 */
export function screen(load: () => Promise<ComponentType>, texts: string[]) {
  let loading: Promise<ComponentType> | undefined
  let loaded: ComponentType | undefined
  const start = () => {
    loading ??= within(Promise.all([load(), loadTexts(texts)]), limits.screenLoadMs).then(([page]) => {
      loaded = page
      return page
    })
    return loading
  }
  const component = () => <Loaded page={() => loaded} start={start} />
  // Never rejects: the failure is the screen's to show, not the router's.
  const preload = () => start().then(nothing, nothing)
  return Object.assign(component, { preload })
}

// A loaded screen is shown at once: `use` would wait for a moment even then, and flash.
function Loaded({ page, start }: { page: () => ComponentType | undefined; start: () => Promise<ComponentType> }) {
  const Page = page() ?? use(start())
  return <Page />
}

const nothing = () => undefined
