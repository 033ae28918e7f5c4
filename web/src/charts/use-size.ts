import { type RefObject, useLayoutEffect, useState } from 'react'

/** Width of an element in whole CSS pixels; 0 until it is laid out. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    setWidth(Math.round(current.clientWidth))
    const observer = new ResizeObserver(() => setWidth(Math.round(current.clientWidth)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
