import { Button, Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DrawHelp } from '../../features/places/parts/draw-help.tsx'
import { PlaceCard } from '../../features/places/parts/place-card.tsx'
import { PlaceForm } from '../../features/places/parts/place-form.tsx'
import { PlaybackBar } from '../../map/playback/playback-bar.tsx'
import { PlaceSearch } from '../../shared/places/place-search.tsx'
import { FleetMap } from './fleet-map.tsx'
import { FleetPanel } from './fleet-panel.tsx'
import classes from './maps.module.css'
import { SelectedDevice } from './selected-device.tsx'
import { FleetScreenContext, useFleet, useFleetScreen } from './use-fleet-screen.ts'

/** Map, list, card, drawing and playback, put together. */
export function FleetScreen() {
  const screen = useFleetScreen()
  const { playback, fleet, side } = screen
  return (
    <FleetScreenContext value={screen}>
      <div className={classes.screen} data-playing={playback.isOpen || undefined}>
        <FleetMap />
        <FleetPanel />
        <Search />
        <div ref={side} className={classes.side}>
          <Card />
        </div>
        {playback.isOpen && fleet.selected && (
          <Paper className={classes.playback} shadow="md" withBorder>
            <PlaybackBar playback={playback} name={fleet.selected.name} />
          </Paper>
        )}
      </div>
    </FleetScreenContext>
  )
}

/** The search for places; while somebody draws, how that is done. */
function Search() {
  const { t } = useTranslation('places')
  const { look, editor, mayEdit, found, fencePlace } = useFleet()
  const { place } = look
  return (
    <div className={classes.top}>
      <PlaceSearch onFound={found} />
      {place && mayEdit && !editor.edit && (
        <Button size="sm" variant="default" onClick={() => fencePlace(place)}>
          {t('fenceHere')}
        </Button>
      )}
      {editor.edit && <DrawHelp edit={editor.edit} onCancel={editor.close} />}
    </div>
  )
}

/** The form of what is drawn, or else the card of the chosen place, or of the selected device. */
function Card() {
  const { look, editor, fleet, playback, change, edit, select } = useFleet()
  const content = () => {
    if (editor.edit?.shape)
      return (
        <PlaceForm
          edit={editor.edit}
          shape={editor.edit.shape}
          onRadius={editor.setRadius}
          onColour={(colour) => change({ colour })}
          onCancel={editor.close}
          onSaved={(chosen) => {
            editor.close()
            change({ chosen })
          }}
        />
      )
    const { chosen } = look
    if (editor.edit) return null
    if (chosen)
      return <PlaceCard chosen={chosen} onEdit={() => edit(chosen)} onClose={() => change({ chosen: null })} />
    if (!fleet.selected || playback.isOpen) return null
    return <SelectedDevice id={fleet.selected.id} onPlay={playback.open} onClose={() => select(null)} />
  }
  const shown = content()
  return (
    shown && (
      <Paper shadow="md" withBorder>
        {shown}
      </Paper>
    )
  )
}
