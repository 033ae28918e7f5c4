import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** Nothing here yet: says what to do next, and offers it. */
export function Empty({ title, text, action }: { title: string; text?: string; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Title order={2} size="h3">
        {title}
      </Title>
      {text && (
        <Text size="sm" c="dimmed" maw={420}>
          {text}
        </Text>
      )}
      {action}
    </Stack>
  )
}
