import { builtinEnvironments, type Environment } from 'vitest/runtime'

declare global {
  /** Puts a new page in the place of the one that the worker has. */
  var openNewPage: (() => Promise<void>) | undefined
}

/** happy-dom has no typefaces. Letters never come, so that a map, which waits for them, is drawn nowhere; a field that grows with its text only listens. */
const fonts = Object.assign(new EventTarget(), { load: () => new Promise(() => {}) })

/** A worker's page, which each of its files replaces (fresh-file.ts); vitest's own environment has one page for all of them. */
const page: Environment = {
  name: 'page',
  viteEnvironment: 'client',
  async setup(global) {
    const open = async () => {
      const opened = await builtinEnvironments['happy-dom'].setup(global, {})
      Object.defineProperty(global.document, 'fonts', { value: fonts, configurable: true })
      return opened
    }
    let opened = await open()
    globalThis.openNewPage = async () => {
      await opened.teardown(global)
      opened = await open()
    }
    return { teardown: () => opened.teardown(global) }
  },
}

export default page
