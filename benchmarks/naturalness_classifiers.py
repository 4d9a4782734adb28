"""Can a classifier tell captured windows from synthesized ones? Balanced accuracy on clips it has not seen.

50 % means that nobody can tell. A window and the window that follows the same clip's footprints are always in
the same fold. A control tells captured windows from captured ones, which nobody can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from jaxtyping import Bool, Float, Int
from naturalness_windows import ACCELERATION, POSITION, VELOCITY, WindowSet
from scipy.stats import rankdata

from footfall.geometry.decisions import order_of

FOLDS = 5
SEEDS = 5  # of folds and classifiers; figures are stated as a mean and a range over them
FEATURES = 300  # that differ most in the training clips, for the boosted trees
BINS = 63  # of a feature, for the boosted trees
COMPONENTS = 60  # principal, for the linear classifier
EPOCHS, BATCH = 25, 64  # of the network
FEATURE_DECIMALS, SCORE_DECIMALS = 7, 9  # rounding noise must not decide
CONSTANT = 1e-5  # standard deviation below which a feature says nothing

Told = Bool[np.ndarray, "windows"]
Classifier = Callable[["Task", Told, Told, int], Float[np.ndarray, "tested"]]


@dataclass(frozen=True, eq=False)
class Task:
    """Windows of two kinds: label 0 captured, label 1 synthesized."""

    samples: Float[np.ndarray, "windows phases points 9"]
    features: Float[np.ndarray, "windows features"]
    labels: Int[np.ndarray, "windows"]
    clips: np.ndarray

    @classmethod
    def of(cls, windows: WindowSet, labels: Int[np.ndarray, "windows"]) -> Task:
        return cls(windows.samples, features_of(windows.samples), labels, windows.clips)

    @classmethod
    def between(cls, captured: WindowSet, synthesized: WindowSet) -> Task:
        samples = np.concatenate([captured.samples, synthesized.samples])
        labels = np.repeat([0, 1], [len(captured), len(synthesized)])
        return cls(samples, features_of(samples), labels, np.concatenate([captured.clips, synthesized.clips]))


@dataclass(frozen=True)
class Verdict:
    """How well one classifier tells two kinds of windows apart, for each seed."""

    accuracies: tuple[float, ...]  # balanced: mean of both kinds' shares told right
    areas: tuple[float, ...]  # under the ROC curve

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.accuracies))

    @property
    def area(self) -> float:
        return float(np.mean(self.areas))


def missing() -> str:
    """Why the classifier test cannot run; empty where it can."""
    if find_spec("sklearn") is None:
        return "scikit-learn is not installed; pip install 'footfall[study]'"
    return ""


def available(*, network: bool = True) -> tuple[str, ...]:
    """Names of the classifiers that can run here; the network needs torch."""
    return tuple(name for name in CLASSIFIERS if name != NETWORK or (network and find_spec("torch")))


def features_of(samples: Float[np.ndarray, "n phases points 9"]) -> Float[np.ndarray, "n features"]:
    """Coarse curves, and spreads and peaks of positions, velocities, accelerations and jerks."""
    position, velocity, acceleration = (samples[..., part] for part in (POSITION, VELOCITY, ACCELERATION))
    found = [position[:, ::4], velocity[:, ::8], acceleration[:, ::8]]
    for values in (position, velocity, acceleration, np.diff(acceleration, axis=1)):
        found += [values.std(axis=1), np.abs(values).max(axis=1)]
    found.append(position.mean(axis=1))
    flat = np.concatenate([values.reshape(len(samples), -1) for values in found], axis=1)
    flat = np.round(flat, FEATURE_DECIMALS)
    return flat[:, flat.std(axis=0) > CONSTANT]


def told_apart(task: Task, names: Sequence[str], seeds: Sequence[int] = range(SEEDS)) -> dict[str, Verdict]:
    """Each classifier's verdict, every window judged by a classifier that has not seen its clip."""
    from threadpoolctl import threadpool_limits  # comes with scikit-learn

    with threadpool_limits(1):  # sums do not depend on the number of threads
        return {name: verdict(task, CLASSIFIERS[name], seeds) for name in names}


def verdict(task: Task, classifier: Classifier, seeds: Sequence[int]) -> Verdict:
    accuracies, areas = [], []
    for seed in seeds:
        scores = np.full(len(task.labels), np.nan)
        for tested in folds(task.clips, seed):
            if len(np.unique(task.labels[~tested])) == 2:
                scores[tested] = classifier(task, ~tested, tested, seed)
        judged = ~np.isnan(scores)
        accuracies.append(balanced_accuracy(task.labels[judged], scores[judged]))
        areas.append(area_under_roc(task.labels[judged], scores[judged]))
    return Verdict(tuple(accuracies), tuple(areas))


def folds(clips: np.ndarray, seed: int) -> Iterator[Told]:
    """Which windows are tested in each fold: those of a share of the clips."""
    names = np.unique(clips)
    np.random.default_rng(seed).shuffle(names)
    for part in np.array_split(names, FOLDS):
        tested = np.isin(clips, part)
        if tested.any():
            yield tested


def balanced_accuracy(labels: Int[np.ndarray, "n"], scores: Float[np.ndarray, "n"]) -> float:
    synthesized = np.round(scores, SCORE_DECIMALS) > 0.5
    return float(0.5 * (synthesized[labels == 1].mean() + (~synthesized[labels == 0]).mean()))


def area_under_roc(labels: Int[np.ndarray, "n"], scores: Float[np.ndarray, "n"]) -> float:
    """The chance that a synthesized window scores higher than a captured one; equal scores count half."""
    ranks = rankdata(np.round(scores, SCORE_DECIMALS))
    ones = int(labels.sum())
    zeros = len(labels) - ones
    return float((ranks[labels == 1].sum() - ones * (ones + 1) / 2) / (ones * zeros))


def control(windows: WindowSet, names: Sequence[str], seeds: Sequence[int]) -> dict[str, Verdict]:
    """Captured windows against captured windows: the labels are drawn at random, anew for each seed."""
    found: dict[str, list[Verdict]] = {name: [] for name in names}
    labels = np.random.default_rng(0)
    for seed in seeds:
        task = Task.of(windows, labels.integers(0, 2, len(windows)))
        for name, one in told_apart(task, names, [seed]).items():
            found[name].append(one)
    return {
        name: Verdict(tuple(one.accuracy for one in own), tuple(one.area for one in own))
        for name, own in found.items()
    }


def boosted_trees(task: Task, trained: Told, tested: Told, seed: int) -> Float[np.ndarray, "tested"]:
    from sklearn.ensemble import HistGradientBoostingClassifier

    features = binned(task.features[:, differing(task, trained)], trained)
    trees = HistGradientBoostingClassifier(
        max_iter=80,
        learning_rate=0.15,
        max_leaf_nodes=8,
        min_samples_leaf=8,
        l2_regularization=1.0,
        max_bins=BINS,
        max_features=0.3,
        class_weight="balanced",
        early_stopping=False,
        random_state=seed,
    )
    trees.fit(features[trained], task.labels[trained])
    return trees.predict_proba(features[tested])[:, 1]


def binned(features: Float[np.ndarray, "n features"], trained: Told) -> Float[np.ndarray, "n features"]:
    """The bin of each value, between quantiles of the training clips.

    scikit-learn bins values as well, but weights them by class, which takes most of its time.
    """
    edges = np.quantile(features[trained], np.linspace(0.0, 1.0, BINS + 1)[1:-1], axis=0)
    return np.stack(
        [np.searchsorted(own, values).astype(float) for own, values in zip(edges.T, features.T, strict=True)],
        axis=1,
    )


def differing(task: Task, trained: Told) -> Int[np.ndarray, "features"]:
    """The features whose mean or spread differs most between both kinds, in the training clips alone."""
    zeros, ones = (task.features[trained & (task.labels == label)] for label in (0, 1))
    spread = task.features[trained].std(axis=0) + 1e-9
    means = np.abs(ones.mean(axis=0) - zeros.mean(axis=0)) / spread
    spreads = np.abs(np.log((ones.std(axis=0) + 1e-6) / (zeros.std(axis=0) + 1e-6)))
    return order_of(-means - 0.5 * spreads)[:FEATURES]


def linear(task: Task, trained: Told, tested: Told, seed: int) -> Float[np.ndarray, "tested"]:
    from sklearn.decomposition import PCA
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    components = min(COMPONENTS, int(trained.sum()) - 2, task.features.shape[1])
    pipeline = make_pipeline(
        StandardScaler(),
        PCA(components, random_state=seed),
        StandardScaler(),
        LogisticRegression(C=0.1, class_weight="balanced", max_iter=2000),
    )
    pipeline.fit(task.features[trained], task.labels[trained])
    return pipeline.predict_proba(task.features[tested])[:, 1]


def convolutional(task: Task, trained: Told, tested: Told, seed: int) -> Float[np.ndarray, "tested"]:
    """A small convolutional network over the phases of a window."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    channels = task.samples.reshape(*task.samples.shape[:2], -1).transpose(0, 2, 1)
    mean = channels[trained].mean(axis=(0, 2), keepdims=True)
    spread = channels[trained].std(axis=(0, 2), keepdims=True) + 1e-6
    inputs = torch.tensor((channels - mean) / spread, dtype=torch.float32)
    labels = torch.tensor(task.labels, dtype=torch.float32)
    network = _network(inputs.shape[1])
    optimizer = torch.optim.AdamW(network.parameters(), 2e-3, weight_decay=1e-2)
    rows = np.flatnonzero(trained)
    ones = int(task.labels[trained].sum())
    loss_of = nn.BCEWithLogitsLoss(pos_weight=torch.tensor((len(rows) - ones) / max(ones, 1)))
    for epoch in range(EPOCHS):
        network.train()
        np.random.default_rng(epoch).shuffle(rows)
        for first in range(0, len(rows) - 3, BATCH):
            batch = rows[first : first + BATCH]
            noisy = inputs[batch] + 0.05 * torch.randn_like(inputs[batch])
            optimizer.zero_grad()
            loss_of(network(noisy)[:, 0], labels[batch]).backward()
            optimizer.step()
    network.eval()
    with torch.no_grad():
        return torch.sigmoid(network(inputs[np.flatnonzero(tested)])[:, 0]).numpy()


def _network(channels: int):  # type: ignore[no-untyped-def]
    from torch import nn

    def layer(inputs: int) -> list[nn.Module]:
        return [nn.Conv1d(inputs, 48, 5, padding=2), nn.BatchNorm1d(48), nn.ReLU(), nn.MaxPool1d(2)]

    return nn.Sequential(
        nn.Dropout1d(0.1),
        *layer(channels),
        *layer(48),
        nn.Conv1d(48, 48, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool1d(4),
        nn.Flatten(),
        nn.Dropout(0.4),
        nn.Linear(192, 1),
    )


NETWORK = "network"
CLASSIFIERS: dict[str, Classifier] = {"boosted": boosted_trees, "linear": linear, NETWORK: convolutional}
