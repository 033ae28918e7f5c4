import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { i18n } from './i18n.ts'

/** A component that is loaded when it is first shown, together with its namespace of texts. */
export const lazyWithTexts = <P>(
  namespace: string,
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => {
    const [component] = await Promise.all([load(), i18n.loadNamespaces(namespace)])
    return { default: component }
  })
