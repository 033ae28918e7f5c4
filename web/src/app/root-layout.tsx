import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Toasts } from '../ui/toasts.tsx'
import { ScreenWaiting } from './screen-waiting.tsx'

export function RootLayout() {
  return (
    <>
      <Suspense fallback={<ScreenWaiting />}>
        <Outlet />
      </Suspense>
      <Toasts />
    </>
  )
}
