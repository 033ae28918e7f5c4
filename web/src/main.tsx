import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import './ui/styles-base.ts'
import { router } from './app/router/router.ts'
import { startI18n } from './lib/i18n.ts'
import { queryClient } from './lib/query.ts'
import { startRealtime } from './lib/realtime.ts'
import { cssVariables, theme } from './ui/theme.ts'

// The CSP forbids eval, which zod would otherwise compile its schemas with.
z.config({ jitless: true })

await startI18n(['common'])
startRealtime()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
