import { useNavigate, useRouterState } from '@tanstack/react-router'

/**
 * The token of the mailed link that led here: it stands after the #, which no server is sent. `forget` takes a used one out of
 * the address; then the token is empty.
 */
export function useLinkToken() {
  const token = useRouterState({ select: ({ location }) => location.hash })
  const navigate = useNavigate()
  return { token, forget: () => void navigate({ to: '.', hash: '', replace: true }) }
}
