import { Menu, Tooltip } from '@mantine/core'
import { IconCircle, IconMapPin, IconPencilPlus, IconPolygon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import map from '../../../map/map.module.css'
import type { ShapeKind } from '../fence-shapes.ts'

const kinds: readonly { kind: ShapeKind; icon: typeof IconCircle }[] = [
  { kind: 'circle', icon: IconCircle },
  { kind: 'polygon', icon: IconPolygon },
  { kind: 'point', icon: IconMapPin },
]

/** Begins a drawing. Only for those who may keep it. */
export function DrawMenu({ onDraw }: { onDraw: (kind: ShapeKind) => void }) {
  const { t } = useTranslation('places')
  return (
    <Menu position="left-start" withinPortal>
      <Tooltip label={t('draw.menu')} position="left">
        <Menu.Target>
          <button type="button" className={map.button} aria-label={t('draw.menu')}>
            <IconPencilPlus size={18} stroke={1.7} aria-hidden="true" style={{ fill: 'none' }} />
          </button>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {kinds.map(({ kind, icon: Icon }) => (
          <Menu.Item key={kind} leftSection={<Icon size={17} />} onClick={() => onDraw(kind)}>
            {t(`draw.${kind}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
