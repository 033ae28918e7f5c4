import '@mantine/spotlight/styles.layer.css'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconArrowRight, IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { can } from '../../lib/can.ts'
import { subScreens } from './navigation.ts'
import type { PaletteItem } from './palette-sources.ts'
import { useNavigation } from './rail.tsx'
import { useFound } from './use-found.ts'

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Jumps to a screen or, by name, to a device. Opens anew whenever `asked` grows. */
export function Palette({ asked }: { asked: number }) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const found = useFound(text)
  useEffect(() => {
    if (asked > 0) spotlight.open()
  }, [asked])
  const screens: PaletteItem[] = [...useNavigation(), ...subScreens.filter((item) => can(item.needs))]
    .map((item) => ({ id: item.to, label: t(`nav.${item.label}`), to: item.to }))
    .filter((item) => plain(item.label).includes(plain(text.trim())))
  const groups = [
    ...found.map(({ title, items }) => ({ title: t(title), items })),
    { title: t('palette.screens'), items: screens },
  ]
  const shown = groups.filter((group) => group.items.length > 0)
  return (
    <Spotlight.Root query={text} onQueryChange={setText} shortcut={null} scrollable maxHeight={420}>
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        leftSection={<IconSearch size={18} />}
      />
      <Spotlight.ActionsList>
        {shown.map((group) => (
          <Spotlight.ActionsGroup key={group.title} label={group.title}>
            {group.items.map((item) => (
              <Spotlight.Action
                key={item.id}
                label={item.label}
                description={item.description}
                rightSection={<IconArrowRight size={15} />}
                onClick={() => void navigate({ to: item.to as '/users' })}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {shown.length === 0 && <Spotlight.Empty>{t('palette.nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
