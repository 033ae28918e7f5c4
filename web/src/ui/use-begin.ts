import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The link asked to begin something new on this screen. */
    begins?: boolean
  }
}

/** Opens the form of something new, once, where the link to the screen asked for it. */
export function useBegin(begin: false | (() => void)) {
  const navigate = useNavigate()
  const isAsked = useRouterState({ select: ({ location }) => location.state.begins === true })
  const open = useEffectEvent(() => {
    // A reload does not ask again.
    void navigate({ to: '.', search: true, replace: true, state: {} })
    if (begin) begin()
  })
  useEffect(() => {
    if (isAsked) open()
  }, [isAsked])
}
