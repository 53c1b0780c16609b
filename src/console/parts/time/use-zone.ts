import { useEffect, useState } from 'preact/hooks';
import type { Zone } from './time-range.ts';

const name = 'zone';

/** The zone that the user has chosen on this device, and how to choose another one. All parts of the page follow. */
export function useZone(): readonly [Zone, (zone: Zone) => void] {
  const [zone, setZone] = useState(chosenZone);
  useEffect(() => {
    const onChange = () => setZone(chosenZone());
    addEventListener(name, onChange);
    // Another tab of the browser.
    addEventListener('storage', onChange);
    return () => {
      removeEventListener(name, onChange);
      removeEventListener('storage', onChange);
    };
  }, []);
  return [zone, chooseZone];
}

/** Used where the browser stores nothing. */
let unstored: Zone = 'utc';

/** The zone that the user has chosen on this device. */
export function chosenZone(): Zone {
  try {
    return localStorage.getItem(name) === 'local' ? 'local' : 'utc';
  } catch {
    return unstored;
  }
}

function chooseZone(zone: Zone): void {
  unstored = zone;
  try {
    localStorage.setItem(name, zone);
  } catch {}
  dispatchEvent(new Event(name));
}
