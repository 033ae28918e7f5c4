import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { MoreFace } from './more-face.tsx'
import { type NavigationItem, screenOf } from './navigation.ts'

/** The menu behind the last place of the bar; it opens with its first look, because that is what it was loaded for. */
export function MoreMenu({ items }: { items: NavigationItem[] }) {
  const { t } = useTranslation('shell')
  return (
    <Menu position="top-end" withinPortal defaultOpened>
      <Menu.Target>
        <MoreFace items={items} />
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((item) => (
          <Menu.Item key={item.to} component={Link} to={screenOf(item)} leftSection={<item.icon size={18} />}>
            {t(`nav.${item.label}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
