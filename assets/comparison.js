(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const controls = document.querySelector('.filter');
  const groups = all('.group');
  const filter = () => {
    const words = controls.querySelector('[type=search]').value.trim().toLowerCase();
    const isBadOnly = controls.querySelector('.only-violated').checked;
    let shown = 0;
    for (const group of groups) {
      let own = 0;
      for (const row of all('.row', group)) {
        const isWanted =
          (!isBadOnly || row.classList.contains('bad')) &&
          (words === '' || row.textContent.toLowerCase().includes(words));
        row.hidden = !isWanted;
        if (isWanted) own += 1;
      }
      group.hidden = own === 0;
      if (words !== '' || isBadOnly) group.open = own > 0;
      shown += own;
    }
    controls.querySelector('.shown').textContent =
      shown === 0 ? 'Nothing matches.' : `${shown} ${shown === 1 ? 'requirement' : 'requirements'} shown`;
  };
  controls.hidden = false;
  controls.addEventListener('input', filter);
})();
