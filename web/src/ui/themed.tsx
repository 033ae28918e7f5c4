import { MantineProvider } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { cssVariables, theme } from './theme.ts'

/** The theme, in the colours that the person chose. What is printed has the light ones: paper is white. */
export function Themed({ children }: { children: ReactNode }) {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // At once: the browser takes the pages when the listener returns, and charts are drawn anew.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      {...(isPrinting && { forceColorScheme: 'light' })}
    >
      {children}
    </MantineProvider>
  )
}
