import { type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './sideways.module.css'
import { useChosenInView } from './use-chosen-in-view.ts'

interface SidewaysProps {
  label: string
  /** From this height on it moves up and down as well. */
  maxHeight?: number
  children: ReactNode
}

/**
 * Moves content sideways that may be wider than its place: by finger, wheel or the keyboard's arrows. What is chosen in it is seen. It
 * fades at the right while more stands there.
 */
export function Sideways({ label, maxHeight, children }: SidewaysProps) {
  const own = useRef<HTMLElement>(null)
  const [isMore, setMore] = useState(false)
  useChosenInView(own, '[data-active]')
  useEffect(() => {
    const element = own.current
    if (!element) return
    const look = () => setMore(element.scrollLeft + element.clientWidth < element.scrollWidth - 1)
    const sizes = new ResizeObserver(look)
    for (const each of [element, ...element.children]) sizes.observe(each)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  return (
    <section
      ref={own}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: else the keyboard could not move it
      tabIndex={0}
      aria-label={label}
      className={classes.sideways}
      style={{ maxHeight }}
      data-more={isMore || undefined}
    >
      {children}
    </section>
  )
}
