import '@mantine/spotlight/styles.layer.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconArrowRight, IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { can } from '../../lib/can.ts'
import { subScreens } from './navigation.ts'
import type { PaletteItem } from './palette-source.ts'
import { useNavigation } from './rail.tsx'
import { useFound } from './use-found.ts'

const [store, palette] = createSpotlight()

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Jumps to a screen or, by name, to a device. Opens anew whenever `asked` grows. */
export function Palette({ asked }: { asked: number }) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const found = useFound(text)
  useEffect(() => {
    if (asked > 0) palette.open()
  }, [asked])
  const screens: PaletteItem[] = [...useNavigation(), ...subScreens.filter((item) => can(item.needs))]
    .map((item) => ({ id: item.to, label: t(`nav.${item.label}`), to: item.to }))
    .filter((item) => plain(item.label).includes(plain(text.trim())))
  const groups = [
    ...found.map(({ title, items }) => ({ title: t(title), items })),
    { title: t('palette.screens'), items: screens },
  ]
  const shown = groups.filter((group) => group.items.length > 0)
  const open = (item: PaletteItem) => void navigate({ to: item.to as '/users' })
  // Results after the last key are not selected: Enter means the first one.
  const openFirst = (event: KeyboardEvent) => {
    const first = shown[0]?.items[0]
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || store.getState().selected !== -1 || !first) return
    palette.close()
    open(first)
  }
  return (
    <Spotlight.Root store={store} query={text} onQueryChange={setText} shortcut={null} scrollable maxHeight={420}>
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        onKeyDown={openFirst}
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
                onClick={() => open(item)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {shown.length === 0 && <Spotlight.Empty>{t('palette.nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
