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
  const filter = () => {
    const status = controls.querySelector('[name=status]:checked').value;
    const words = controls.querySelector('[name=text]').value.trim().toLowerCase();
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
    controls.querySelector('.shown').textContent =
      `${shown} ${shown === 1 ? 'requirement' : 'requirements'} shown`;
    showFold();
  };
  if (controls) {
    controls.hidden = false;
    controls.addEventListener('input', filter);
    fold.addEventListener('click', () => {
      const isOpen = fold.textContent === 'Unfold all';
      for (const each of sections) each.open = isOpen;
      showFold();
    });
    for (const each of sections) each.addEventListener('toggle', showFold);
    showFold();
  }

  const copy = async (source) => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      return true;
    } catch {
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
