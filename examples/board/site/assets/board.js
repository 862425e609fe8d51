(() => {
  const MOST = 200;
  const controls = document.querySelector('.filter');
  if (!controls) return;
  const found = document.querySelector('.found');
  const list = document.querySelector('.list');
  const shown = controls.querySelector('.shown');
  let rows;
  const itemOf = ([slug, name, , words, release, day, violated]) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = `implementations/${encodeURIComponent(slug)}.html`;
    link.textContent = visible(name);
    const rest = document.createElement('span');
    const number = `${violated} ${violated === 1 ? 'violation' : 'violations'}`;
    rest.textContent = ` ${[words, number, visible(release), day].filter((each) => each !== '').join(', ')}`;
    item.append(link, rest);
    return item;
  };
  // What is invisible, or turns the direction of the text, is shown as an escape.
  const visible = (text) =>
    text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (each) => `\\u{${each.codePointAt(0).toString(16)}}`);
  const filter = () => {
    const words = controls.querySelector('[type=search]').value.trim().toLowerCase();
    const verdict = controls.querySelector('select').value;
    const isAll = words === '' && verdict === '';
    list.hidden = !isAll;
    found.hidden = isAll;
    if (isAll) {
      found.replaceChildren();
      shown.textContent = '';
      return;
    }
    if (!rows) return load();
    const wanted = rows.filter(
      ([, name, own, , release]) =>
        (verdict === '' || own === verdict) && `${name} ${release}`.toLowerCase().includes(words),
    );
    found.replaceChildren(...wanted.slice(0, MOST).map(itemOf));
    const more = wanted.length > MOST ? `; the first ${MOST} shown` : '';
    shown.textContent =
      wanted.length === 0
        ? 'Nothing matches.'
        : `${wanted.length} ${wanted.length === 1 ? 'implementation' : 'implementations'}${more}`;
  };
  // Only who searches loads the names of all implementations.
  let isLoading = false;
  const load = () => {
    if (isLoading) return;
    isLoading = true;
    globalThis.petspecBoard = (all) => {
      rows = all;
      filter();
    };
    const script = document.createElement('script');
    script.src = 'data/implementations.js';
    script.addEventListener('error', () => {
      isLoading = false;
      shown.textContent = 'The search cannot load data/implementations.js.';
    });
    document.head.append(script);
  };
  controls.hidden = false;
  controls.addEventListener('input', filter);
})();
