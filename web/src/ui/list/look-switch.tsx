import { SegmentedControl } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconLayoutGrid, IconTable } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../use-phone.ts'

type Look = 'table' | 'cards'
const icons = { table: IconTable, cards: IconLayoutGrid }

/** How a person wants to see a list, kept in this browser until they log out. */
export const useLook = (list: string) => useLocalStorage<Look>({ key: `isotherm.look.${list}`, defaultValue: 'table' })

/** Table or cards; a phone shows cards whatever is chosen. */
export function LookSwitch({ look, onChange }: { look: Look; onChange: (look: Look) => void }) {
  const { t } = useTranslation()
  const isPhone = useNarrow()
  if (isPhone) return null
  const data = (['table', 'cards'] as const).map((value) => {
    const Icon = icons[value]
    return { value, label: <Icon size={16} aria-label={t(`looks.${value}`)} style={{ display: 'block' }} /> }
  })
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('looks.label')}
      data={data}
      value={look}
      onChange={(value) => onChange(value as Look)}
    />
  )
}
