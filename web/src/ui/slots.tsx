import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** Where the shell lets a page put its title and its actions: elements of the top bar, null where there is none. */
export interface Slots {
  title: HTMLElement | null
  actions: HTMLElement | null
}
export const SlotsContext = createContext<Slots>({ title: null, actions: null })
export const useSlots = () => useContext(SlotsContext)

/** Renders into a slot of the shell, or nothing until the slot is there. */
export const InSlot = ({ slot, children }: { slot: HTMLElement | null; children: ReactNode }) =>
  slot ? createPortal(children, slot) : null
