import { Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

interface LonePageProps {
  /** Above the title. */
  mark: ReactNode
  title: string
  text: string
  children?: ReactNode
}

/** A page without the shell that says one thing. */
export function LonePage({ mark, title, text, children }: LonePageProps) {
  useEffect(() => {
    document.title = `${title} · Isotherm`
  }, [title])
  return (
    <Stack component="main" align="center" ta="center" gap="xs" p="xl" mt="18vh">
      {mark}
      <Title order={1}>{title}</Title>
      <Text c="dimmed" size="sm" maw={480}>
        {text}
      </Text>
      {children}
    </Stack>
  )
}
