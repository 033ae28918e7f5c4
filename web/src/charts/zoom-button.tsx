import { ActionIcon, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

interface ZoomButtonProps {
  label: string
  onClick: () => void
  loading?: boolean
  children: ReactNode
}

/** A button above the chart. */
export const ZoomButton = ({ label, onClick, loading, children }: ZoomButtonProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" aria-label={label} loading={loading} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
)
