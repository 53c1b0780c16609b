import { useEffect, useState } from 'preact/hooks';

/** Draws the component once a second. Returns how often it has. */
export function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}
