import { useRouterState } from '@tanstack/react-router'
import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Moves a bar that is wider than its place, so that the chosen one of its choices is seen: when another one is chosen, and when its words or
 * its place get another width. Whoever has moved it since is left alone.
 */
export function useChosenInView(bar: RefObject<HTMLElement | null>, selector: string): void {
  // Links learn by themselves which of them is open.
  useRouterState({ select: ({ location }) => location.href })
  const last = useRef<{ chosen: Element; width: string }>(undefined)
  // After each rendering: a bar whose words or rights arrive later chooses later, too.
  useLayoutEffect(() => {
    const chosen = bar.current?.querySelector(selector)
    if (!bar.current || !chosen) return
    const { scrollWidth, clientWidth } = bar.current
    const width = `${scrollWidth} ${clientWidth}`
    if (last.current?.chosen === chosen && last.current.width === width) return
    last.current = { chosen, width }
    const [own, whole] = [chosen.getBoundingClientRect(), bar.current.getBoundingClientRect()]
    bar.current.scrollLeft += own.left + own.width / 2 - (whole.left + whole.width / 2)
  })
}
