import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { useConsole } from '../app/console.js';
import { language } from '../words/language.js';
import { shopZone } from '../words/shop-zone.js';

/** @import { Line } from './chart.js' */

const HEIGHT_PX = 160;
const SCALE_PX = 56;
const TIMES_PX = 28;
const TICK_SPACE_PX = 90;
const SCREEN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
/** How much of its place a bar takes. */
const BAR = 0.76;
/** How much of the scale is left free above the highest value, and below a negative one. */
const ABOVE = 1.1;
const dark = matchMedia('(prefers-color-scheme: dark)');

/**
 * @typedef {object} PlotProps
 * @property {'bars' | 'lines'} kind bars are stacked; lines break where there is no value
 * @property {readonly number[]} times epoch ms, one step apart
 * @property {readonly Line[]} lines
 * @property {(at: number) => string} timeText
 * @property {(value: number) => string} valueText '' where a value of the scale says nothing
 * @property {(index: number | null) => void} onPoint what the pointer is at
 */

/** A drawing of figures over time, for the eye alone: who shows it shows the figures as text, too. @param {PlotProps} props */
export function Plot(props) {
  const { theme } = useConsole().preferences;
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const drawn = useRef(/** @type {uPlot | null} */ (null));
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const at = place.current;
    if (!at) return;
    const plot = new uPlot(optionsOf(at, latest), dataOf(latest.current), at);
    drawn.current = plot;
    const size = new ResizeObserver(() => plot.setSize({ width: at.clientWidth, height: HEIGHT_PX }));
    const repaint = () => plot.redraw();
    size.observe(at);
    dark.addEventListener('change', repaint);
    return () => {
      dark.removeEventListener('change', repaint);
      size.disconnect();
      plot.destroy();
    };
  }, []);
  useEffect(() => drawn.current?.setData(dataOf(props)), [props.times, props.lines]);
  useEffect(() => {
    // Its first drawing comes by itself.
    if (drawn.current?.status === 1) drawn.current.redraw(true, true);
  }, [theme.value, language.value, shopZone.value]);
  return h('div', { class: 'plot', ref: place, 'aria-hidden': 'true' });
}

/**
 * Colours and texts are asked for at each drawing, so that it follows theme and language.
 * @param {HTMLElement} at @param {{ readonly current: PlotProps }} latest @returns {uPlot.Options}
 */
function optionsOf(at, latest) {
  const { kind, lines } = latest.current;
  const style = getComputedStyle(at);
  const axis = {
    stroke: () => style.color,
    grid: { stroke: () => style.borderTopColor, width: 1 },
    ticks: { show: false },
    font: `13px ${style.fontFamily}`,
  };
  const step = () => (latest.current.times[1] ?? 1) - (latest.current.times[0] ?? 0);
  return {
    width: at.clientWidth,
    height: HEIGHT_PX,
    ms: 1,
    tzDate: (at) => uPlot.tzDate(new Date(at), shopZone.value ?? SCREEN_ZONE),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'lines' } },
    hooks: { setCursor: [({ cursor }) => latest.current.onPoint(cursor.idx ?? null)] },
    scales: {
      x: { range: (_plot, first, last) => [first - step() / 2, last + step() / 2] },
      y: { range: (_plot, least, most) => [Math.min(0, least * ABOVE), Math.max(1, most * ABOVE)] },
    },
    axes: [
      {
        ...axis,
        size: TIMES_PX,
        space: TICK_SPACE_PX,
        values: (_plot, times) => times.map((time) => latest.current.timeText(time)),
      },
      {
        ...axis,
        size: SCALE_PX,
        values: (_plot, values) => values.map((value) => latest.current.valueText(value)),
      },
    ],
    series: [{}, ...inDrawingOrder(kind, lines).map(({ tone }) => seriesOf(kind, () => colourOf(at, tone)))],
  };
}

/** @param {'bars' | 'lines'} kind @param {() => string} colour @returns {uPlot.Series} */
function seriesOf(kind, colour) {
  const paths = kind === 'bars' ? uPlot.paths.bars?.({ size: [BAR] }) : undefined;
  if (paths) return { paths, fill: colour, width: 0, points: { show: false } };
  return { stroke: colour, width: 3, points: { size: 8, fill: colour, filter: alone } };
}

/** Points without a neighbour, of which no line shows anything. @param {uPlot} plot @param {number} series */
function alone({ data }, series) {
  const values = data[series] ?? [];
  const isGap = (/** @type {number} */ index) => (values[index] ?? null) === null;
  return [...values.keys()].filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
}

/** The highest bar of a stack is drawn first, the others over it. @param {'bars' | 'lines'} kind @param {readonly Line[]} lines */
function inDrawingOrder(kind, lines) {
  return kind === 'bars' ? lines.toReversed() : lines;
}

/** @param {PlotProps} props @returns {uPlot.AlignedData} */
function dataOf({ kind, times, lines }) {
  if (kind === 'lines') return [[...times], ...lines.map(({ values }) => [...values])];
  const top = (/** @type {number} */ line, /** @type {number} */ index) =>
    lines.slice(0, line + 1).reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
  const tops = lines.map(({ values }, line) =>
    times.map((_at, index) => (values[index] ? top(line, index) : null)),
  );
  return [[...times], ...tops.reverse()];
}

/** A canvas knows no variables of the style sheet: the swatch of the legend has the colour. @param {HTMLElement} at @param {string} tone */
function colourOf(at, tone) {
  const swatch = at.closest('figure')?.querySelector(`.tone-${tone}`);
  return getComputedStyle(swatch ?? at).color;
}
