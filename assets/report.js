(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const unfold = (element) => {
    for (let each = element; each; each = each.parentElement)
      if (each.localName === 'details') each.open = true;
  };

  const controls = document.querySelector('.filter');
  const sections = all('.section');
  const fold = document.querySelector('.fold');
  const showFold = () => {
    fold.textContent = sections.every((each) => each.open || each.hidden) ? 'Fold all' : 'Unfold all';
  };
  const nothing = document.querySelector('.no-match');
  const requests = all('.ledger > li');
  const counted = (number, noun) => `${number} ${number === 1 ? noun : `${noun}s`}`;
  const wanted = () => ({
    status: controls.querySelector('[name=status]:checked').value,
    words: controls.querySelector('[name=text]').value.trim().toLowerCase(),
  });
  // A link to this page shows the same. Some viewers do not let a page change its address.
  const remember = ({ status, words }) => {
    const query = new URLSearchParams({ ...(status && { status }), ...(words && { text: words }) });
    try {
      history.replaceState(null, '', `${query.size > 0 ? `?${query}` : location.pathname}${location.hash}`);
    } catch {}
  };
  const filterRequests = ({ words }) => {
    let shown = 0;
    for (const each of requests) {
      each.hidden = words !== '' && !each.textContent.toLowerCase().includes(words);
      if (!each.hidden) shown += 1;
    }
    const figures = document.querySelector('#exchanges .figures');
    if (figures && words !== '') figures.open = shown > 0;
    return shown;
  };
  const filter = () => {
    const { status, words } = wanted();
    const isFiltering = status !== '' || words !== '';
    let shown = 0;
    for (const section of sections) {
      const name = section.querySelector('.section-name').textContent.toLowerCase();
      let own = 0;
      for (const row of all('.row', section)) {
        const isWanted =
          (status === '' || row.dataset.status === status) &&
          (words === '' || name.includes(words) || row.textContent.toLowerCase().includes(words));
        row.hidden = !isWanted;
        if (isWanted) own += 1;
      }
      section.hidden = own === 0;
      if (isFiltering) section.open = own > 0;
      shown += own;
    }
    const found = filterRequests({ words });
    nothing.hidden = shown > 0;
    controls.querySelector('.shown').textContent =
      `${counted(shown, 'requirement')} shown${words === '' ? '' : `, and ${counted(found, 'request')}`}`;
    remember({ status, words });
    showFold();
  };
  const choose = (status, words) => {
    const choice = all('[name=status]', controls).find((each) => each.value === status);
    if (choice) choice.checked = true;
    controls.querySelector('[name=text]').value = words;
    filter();
  };
  if (controls) {
    controls.hidden = false;
    controls.addEventListener('input', filter);
    document.querySelector('.all').addEventListener('click', () => choose('', ''));
    fold.addEventListener('click', () => {
      const isOpen = fold.textContent === 'Unfold all';
      for (const each of sections) each.open = isOpen;
      showFold();
    });
    for (const each of sections) each.addEventListener('toggle', showFold);
    const asked = new URLSearchParams(location.search);
    if (asked.size > 0) choose(asked.get('status') ?? '', asked.get('text') ?? '');
    showFold();
  }

  const copy = async (source) => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      return true;
    } catch {
      // A page that came over http has no clipboard, and what is hidden cannot be selected.
      source.hidden = false;
      getSelection().selectAllChildren(source);
      return document.execCommand('copy');
    }
  };
  for (const button of all('.copy')) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener('click', async () => {
      const isCopied = await copy(document.getElementById(button.dataset.copies));
      button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
      setTimeout(() => {
        button.textContent = label;
      }, 2000);
    });
  }

  const follow = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    unfold(target);
    if (target.localName === 'section')
      for (const each of all('.figures', target)) if (target.id === 'exchanges') each.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  follow();

  let folded = [];
  addEventListener('beforeprint', () => {
    folded = all('details:not([open]):not(.figures)');
    for (const each of folded) each.open = true;
  });
  addEventListener('afterprint', () => {
    for (const each of folded) each.open = false;
  });
})();
